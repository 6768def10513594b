/** Where the repository's files can be read: runbooks are linked from alerts and dashboards. */
export const repository = 'https://github.com/group-payments/group-payments/blob/main';
