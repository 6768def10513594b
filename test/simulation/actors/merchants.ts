import * as contracts from '@gp/contracts';
import { connectBus } from '../bus/bus.ts';
import type { PlannedConnection, PlannedMerchant } from '../world/plan.ts';
import type { World } from '../world/world.ts';
import { digest } from './digest.ts';
import { letPayersCome } from './payers.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A merchant as the dashboard and the merchant's server act for it. */
export class Merchant {
  readonly id: string;
  readonly world: World;
  readonly #plan: PlannedMerchant;
  readonly #versions = new Map<PlannedConnection, number>();
  readonly #active = new Map<string, PlannedConnection>();
  #revision = 0;

  constructor(world: World, plan: PlannedMerchant) {
    this.id = plan.id;
    this.world = world;
    this.#plan = plan;
  }

  get #bus() {
    const { people, broker, calls } = this.world;
    return connectBus(people, broker, calls);
  }

  /** Connects every gateway; the last one of a mode is active. */
  async connect(): Promise<void> {
    for (const connection of this.#plan.connections) {
      const { psp, mode, account, secret } = connection;
      const credentials = { account, key: 'k', secret };
      const request = { merchant_id: this.id, mode, credentials };
      const { version } = await this.#bus.call(contracts.putCredentials(psp), request, { timeoutMs: 10_000 });
      this.#versions.set(connection, version);
      await this.#activate(connection);
    }
  }

  /** Makes another connection of the mode the active one; payments under way stay where they are (B11). */
  async switchGateway(): Promise<void> {
    await this.#activate(this.world.time.random.pick(this.#plan.connections)).catch(() => undefined);
  }

  async #activate(connection: PlannedConnection): Promise<void> {
    const { mode } = connection;
    const was = this.#active.get(mode);
    this.#active.set(mode, connection);
    if (was && was !== connection) await this.#tell(was, false);
    await this.#tell(connection, true);
  }

  async #tell(connection: PlannedConnection, active: boolean): Promise<void> {
    this.#revision += 1;
    const { psp: psp_code, mode } = connection;
    const version = this.#versions.get(connection) ?? 1;
    const news = {
      merchant_id: this.id,
      mode,
      psp_code,
      version,
      active,
      revoked_at: null,
      revision: this.#revision,
    };
    await this.#bus.call(contracts.noteGateway, news).catch(() => undefined);
    const id = `00000000-0000-7000-8000-${digest(`${this.id} ${this.#revision}`).slice(0, 12)}`;
    const message = { id, subject: `${contracts.gatewayChanged.subject}.${this.id}`, mode, payload: news };
    await this.#bus.publish(message).catch(() => undefined);
  }

  /** Makes the groups of this world, each at an instant of its own. */
  begin(): void {
    const { time, plan, people } = this.world;
    for (let count = 0; count < this.#plan.groups; count++) {
      const at = time.random.between(0, plan.payersComeMs / 2);
      time.after(at, people, () => void this.#makeGroup(count).catch((error: unknown) => this.#crash(error)));
    }
    if (this.#plan.connections.length > 1 && time.random.chance(0.5))
      time.after(time.random.between(0, plan.payersComeMs), people, () => void this.switchGateway());
  }

  #crash(error: unknown): void {
    this.world.journal.faults.push(
      `a merchant: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
    );
  }

  async #makeGroup(count: number): Promise<void> {
    const { time, seed } = this.world;
    const { random } = time;
    const { mode } = random.pick(this.#plan.connections);
    const slots = random.pick([1, 1, 2, 2, 3, 4, 6]);
    const livesMs = random.pick([11 * minute, 30 * minute, 2 * hour, 8 * hour, 47 * hour]);
    const command = {
      ...{
        merchant_id: this.id,
        mode,
        command_id: digest(`${seed} ${this.id} ${count}`),
        fingerprint: digest('create'),
      },
      ...{
        group_name: 'Dinner',
        currency: 'EUR',
        metadata: {},
        total_minor: String(slots * random.between(100, 5_000)),
      },
      expires_at: new Date(time.nowMs + livesMs).toISOString(),
      distribution: { type: 'equally' as const, number_of_slots: slots },
      // Every other group is captured at its expiry from some of its slots on.
      ...(count % 2 === 0 && { capture_minimum: { slots: 1 + (count % slots) } }),
      // Every third one takes tips.
      ...(count % 3 === 0 && { max_tip_minor: '500' }),
    };
    const create = this.#bus.coalesce(contracts.createGroup);
    for (let tries = 0; tries < 5; tries++) {
      const made = await create(command).catch(() => undefined);
      if (made) {
        const group = {
          id: made.group.id,
          mode,
          slotIds: made.slots.map(({ id }) => id),
          endsAtMs: time.nowMs + livesMs,
          takesTips: made.group.max_tip_minor !== undefined,
        };
        letPayersCome(this, group);
        this.#actLater(group.id, mode, group.slotIds);
        return;
      }
      await time.pause(random.between(500, 5_000), this.world.people);
    }
  }

  /** Refunds and cancellations, at instants before and after the group ends. */
  #actLater(groupId: string, mode: contracts.Mode, slotIds: readonly string[]): void {
    const { time, plan, people } = this.world;
    const { random } = time;
    const later = (act: () => Promise<unknown>): void => {
      const at = random.between(0, plan.healedAtMs);
      time.after(at, people, () => void act().catch(() => undefined));
    };
    const scope = { merchant_id: this.id, mode, group_id: groupId };
    if (random.chance(0.15))
      later(() =>
        this.#bus.call(contracts.cancelGroup, {
          ...scope,
          ...identify(groupId, 'cancel'),
          actor: 'merchant',
        }),
      );
    const refunds = random.chance(0.4) ? random.between(1, 3) : 0;
    for (let count = 0; count < refunds; count++) {
      const part = random.chance(0.5) ? { slot_ids: [random.pick(slotIds)] } : {};
      const request = { ...scope, ...identify(groupId, `refund ${count}`), ...part, source: 'api' as const };
      later(() => this.#bus.call(contracts.openRefund, request));
    }
  }
}

const identify = (groupId: string, text: string) => ({
  command_id: digest(`${groupId} ${text}`),
  fingerprint: digest(text),
});
