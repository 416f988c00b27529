import { expect, it } from 'vitest';
import { awaitedOf } from '../../../src/cli/api/awaited.js';
import type { ApiClient, ApiRequest } from '../../../src/cli/api/client/api-client.js';
import { ApiFailure } from '../../../src/cli/api/client/api-failure.js';

/** A server that shows markets whose ids are their statuses, and none of an unknown one. */
const asked: ApiRequest[] = [];
const api = {
  request: async (request: ApiRequest) => {
    asked.push(request);
    const status = request.path.split('/').at(-1);
    if (status === 'unknown') throw new ApiFailure('There is no such market.', 1);
    return { body: { status } };
  },
} as unknown as ApiClient;

it('What is held awaits the result of a market that closed', async () => {
  const ids = ['in_play', 'closed', 'closed', 'disputed', 'resolved', 'unknown'];
  const held = ids.map((market_id) => ({ market_id, venue: 'example' }));
  expect([...(await awaitedOf(api, held))]).toEqual([
    ['closed', 'the result'],
    ['disputed', 'the result, which is disputed'],
    ['resolved', 'its booking'],
  ]);
  expect(asked).toHaveLength(5);
});
