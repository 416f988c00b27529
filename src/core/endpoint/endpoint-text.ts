import type { ShownEndpoint } from './endpoint.js';

/** An endpoint as its JSON text has it. */
type Written = Omit<ShownEndpoint, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Reads back an endpoint of JSON text. */
export const endpointFrom = ({ createdAt, updatedAt, ...endpoint }: Written): ShownEndpoint => ({
  ...endpoint,
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});
