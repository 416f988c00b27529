/** When a paper order reaches its book; unknown for the orders already on record. */
export const arrivalsSchema = (): readonly string[] => ['alter table orders add column arrives_at text'];
