import type { Client } from '@group-payments/client';

/** The houses to book; prices in euros for a weekend. */
export const HOUSES = {
  lighthouse: { name: 'The old lighthouse', place: 'Cap de Creus', price: 480, sleeps: 8 },
  mill: { name: 'The water mill', place: 'Sierra de Aracena', price: 264, sleeps: 6 },
  barn: { name: 'The orchard barn', place: 'Val d’Orcia', price: 390, sleeps: 10 },
} as const;
export type HouseId = keyof typeof HOUSES;

export const isHouse = (text: string): text is HouseId => Object.hasOwn(HOUSES, text);

/** A booking is a group payment: its id is the shop's order number, and the shop stores nothing else. */
export type Booking = {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly state: string;
  readonly friends: number;
  /** The number of friends whose share is held or charged. */
  readonly settled: number;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
const SETTLED = new Set(['preauthorised', 'captured']);

/** Reads and creates bookings at the payment platform, under the shop's secret key. */
export function bookings(client: Client) {
  return {
    /** Divides the price among friends, who have a day to pay. */
    async create(house: HouseId, friends: number): Promise<string> {
      const { name, price } = HOUSES[house];
      const { group_payment } = await client.createGroupPayment({
        group_name: name,
        total_amount: price,
        currency: 'EUR',
        expires_at: new Date(Date.now() + DAY_MS).toISOString(),
        distribution: { type: 'equally', number_of_slots: friends },
        metadata: { house },
      });
      return group_payment.id;
    },

    async find(id: string): Promise<Booking> {
      const { group_payment: group, payment_slots: slots } = await client.getGroupPayment(id);
      return {
        id: group.id,
        name: group.group_name,
        total: group.total_amount,
        state: group.state,
        friends: slots.length,
        settled: slots.filter(({ state }) => SETTLED.has(state)).length,
      };
    },

    /** Returns what a browser needs to pay for this booking, and for nothing else. */
    async session(id: string): Promise<{ token: string; groupPaymentId: string }> {
      const { token, group_payment_id } = await client.createSession(id);
      return { token, groupPaymentId: group_payment_id };
    },
  };
}
export type Bookings = ReturnType<typeof bookings>;
