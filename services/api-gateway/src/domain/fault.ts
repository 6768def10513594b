/** One thing wrong with a request: the field as the merchant wrote it, and why it cannot be taken. */
export type Fault = { readonly param: string; readonly reason: string };
