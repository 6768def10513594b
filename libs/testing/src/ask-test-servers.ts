/**
 * Sends a request to the servers that the test files of a run share; rejects with the server's message when it
 * fails.
 */
export async function askTestServers<T>(path: string, question: object): Promise<T> {
  const address = process.env['GP_TEST_SERVERS'];
  if (!address) throw new Error('No test run is on: GP_TEST_SERVERS is set by the jest configuration.');
  const response = await fetch(address + path, { method: 'POST', body: JSON.stringify(question) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
