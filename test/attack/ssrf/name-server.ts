import { once } from 'node:events';
import { createSocket } from 'node:dgram';

/** The addresses of a name; `nth` counts the queries for this name, from 0. */
export type Zone = (name: string, nth: number) => readonly string[];

const A = 1;
const AAAA = 28;
const HEAD_BYTES = 12;

/**
 * A name server that answers from a zone the test chooses, each answer good for 0 seconds. It knows what such a test
 * needs: one question a message, A and AAAA.
 */
export async function openNameServer(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message);
    const nth = asked.filter((known) => known === `${type} ${name}`).length;
    asked.push(`${type} ${name}`);
    const records = zone(name, nth)
      .map(toBytes)
      .filter((bytes) => bytes.length === (type === A ? 4 : type === AAAA ? 16 : 0));
    socket.send(writeAnswer(message.subarray(0, end), records, type), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Every question, as type and name. */
    asked,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
export type NameServer = Awaited<ReturnType<typeof openNameServer>>;

/** The bytes of an address; a URL knows every way to write one of IPv6. */
function toBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text = '') => (text === '' ? [] : text.split(':'));
  const missing = Math.max(0, 8 - groups(head).length - groups(tail).length);
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEAD_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(question: Buffer, records: readonly Buffer[], type: number): Buffer {
  const head = Buffer.from(question);
  // An answer, recursion available, no error; one question and these answers.
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  const answers = records.map((bytes) => {
    const record = Buffer.alloc(12);
    // The name of the question.
    record.writeUInt16BE(0xc000 + HEAD_BYTES, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, ...answers]);
}
