import { kubectl } from '../control-plane.ts';
import { namespace } from '../namespace.ts';
import { listServers, type Pod } from './cluster.ts';

type Replica = { readonly name: string; readonly current?: boolean; readonly lag?: number };
/** A stream as one server sees it; the leader alone knows how far the others are. */
export type Stream = {
  readonly name: string;
  readonly cluster?: { readonly leader?: string; readonly replicas?: readonly Replica[] };
};

/** The streams that a NATS server has; throws when it cannot be asked. */
function listStreams(server: Pod): readonly Stream[] {
  const proxy = `/api/v1/namespaces/${namespace()}/pods/${server.metadata.name}:8222/proxy`;
  type Account = { readonly stream_detail?: readonly Stream[] };
  const state = JSON.parse(kubectl(['get', '--raw', `${proxy}/jsz?streams=true`], undefined, true)) as {
    readonly account_details?: readonly Account[];
  };
  return (state.account_details ?? []).flatMap(({ stream_detail: streams = [] }) => streams);
}

/** Every stream as its leader sees it. */
export function listReplicas(): readonly Stream[] {
  return listServers('nats').flatMap((server) =>
    listStreams(server).filter(({ cluster }) => cluster?.leader === server.metadata.name),
  );
}

/** Returns a sentence for each stream of which a server is neither the leader nor as far as it. */
export function describeLate(streams: readonly Stream[], server: string): readonly string[] {
  if (streams.length === 0) return ['no stream has a leader'];
  return streams.flatMap(({ name, cluster }) => {
    if (cluster?.leader === server) return [];
    const found = cluster?.replicas?.find((one) => one.name === server);
    return found?.current && (found.lag ?? 0) === 0
      ? []
      : [`${server} is behind in the stream ${name}: ${JSON.stringify(found ?? 'no copy')}`];
  });
}

/** The NATS server that leads the most streams. */
export function findStreamLeader(): Pod {
  const servers = listServers('nats');
  const first = servers[0];
  const led = (first ? listStreams(first) : []).map(({ cluster }) => cluster?.leader);
  const countLed = ({ metadata }: Pod) => led.filter((leader) => leader === metadata.name).length;
  const [leader] = servers.toSorted((one, other) => countLed(other) - countLed(one));
  if (leader === undefined || countLed(leader) === 0) throw new Error('no NATS server leads a stream');
  return leader;
}
