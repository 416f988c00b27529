/** When a paper order reaches its book; nobody knows it any more of those on record. */
export const arrivalsSchema = (): readonly string[] => ['alter table orders add column arrives_at text'];
