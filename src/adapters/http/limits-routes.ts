import type { ChangeLimits } from '../../core/usecases/limits/change-limits.js';
import type { ReadLimits } from '../../core/usecases/limits/read-limits.js';
import { limitsBody, limitsChangeOf, limitsInUseOut, presentLimitsInUse } from './limits-wire.js';
import { holdingFilters } from './portfolio-wire.js';
import { RESTRAINED, type Route, route } from './route.js';
import { members } from './schema.js';

const LIMITS = '/v1/limits';
const common = { path: LIMITS, tag: 'limits', status: 200, answer: limitsInUseOut, answerName: 'Limits' } as const;
const query = members({ paper: holdingFilters.paper });

/** Reads and changes what an account may risk. */
export interface LimitsUseCases {
  readonly readLimits: ReadLimits;
  readonly changeLimits: ChangeLimits;
}

/** Everything under `/v1/limits`. */
export function limitsRoutes({ readLimits, changeLimits }: LimitsUseCases): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      operationId: 'getLimits',
      scopes: ['orders:read'],
      summary: 'Read what the account may risk',
      description:
        'Each limit is null where there is none. `used` is how much of it is in use on paper, or with real money where `paper` is `false`: of a limit of one market, event, league or sport, the most in any of them.',
      query,
      problems: [],
      async handle({ principal, query }) {
        return {
          status: 200,
          body: presentLimitsInUse(await readLimits.execute(principal.account, query.paper ?? true)),
        };
      },
    }),
    route({
      ...common,
      method: 'PUT',
      operationId: 'setLimits',
      scopes: ['orders:cancel', 'risk:write'],
      summary: 'Change what the account may risk',
      description:
        'A member that is absent stays as it is; null takes the limit away. To set a limit, or lower it, needs `orders:cancel` or `risk:write`; to raise one, or take it away, `risk:write`. Limits hold for every order from then on, on paper and with real money, each counted by itself. What is held already is not sold.',
      query,
      body: limitsBody,
      problems: ['account-busy', ...RESTRAINED],
      async handle({ principal, query, body }) {
        const mayLoosen = principal.scopes.has('risk:write');
        const { account, restraint } = principal;
        await changeLimits.execute({ account, change: limitsChangeOf(body), mayLoosen, restraint });
        return {
          status: 200,
          body: presentLimitsInUse(await readLimits.execute(principal.account, query.paper ?? true)),
        };
      },
    }),
  ];
}
