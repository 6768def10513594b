/** One fault of a request: the field as the merchant wrote it, and why it is refused. */
export type Fault = { readonly param: string; readonly reason: string; readonly hint?: string };
