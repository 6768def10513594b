/** Returns the text of an answer; of a stream of events, which has no end, only its beginning. */
export async function readText(response: Response): Promise<string> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (!isStream(response) || !body) return response.text();
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

export const isStream = ({ headers }: Pick<Response, 'headers'>): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;
