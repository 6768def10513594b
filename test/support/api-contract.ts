import { openApi } from '@gp/reference';
import { compileApiContract, type ApiContract } from '@gp/testing';

let compiled: Promise<ApiContract> | undefined;

/** The checks of the openapi.json in this repository, compiled once. */
export function apiContract(): Promise<ApiContract> {
  return (compiled ??= openApi().then(compileApiContract));
}
