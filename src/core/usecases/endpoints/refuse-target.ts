import type { WebhookSender } from '../../../ports/webhook-sender.js';
import type { EndpointTarget } from '../../endpoint/endpoint.js';
import { tokenProblem } from '../../endpoint/endpoint.js';
import { WebhookMemberInvalid, WebhookUrlInvalid } from '../../endpoint/webhook-errors.js';

/** Refuses a target that nothing may be sent to. @throws WebhookUrlInvalid */
export function refuseTarget(target: EndpointTarget, sender: Pick<WebhookSender, 'problemOf'>): void {
  if (target.kind === 'telegram') return;
  const problem = sender.problemOf(target.url) ?? (target.kind === 'ntfy' ? serverProblem(target.url) : null);
  if (problem !== null) throw new WebhookUrlInvalid(problem);
}

/** Refuses a token that no messenger of this kind has. @throws WebhookMemberInvalid */
export function refuseToken(kind: EndpointTarget['kind'], token: string | null): void {
  const problem = kind === 'webhook' ? null : tokenProblem(kind, token);
  if (problem !== null) throw new WebhookMemberInvalid('token', problem);
}

/** Messages are published to the address of the server itself, which says the topic beside them. */
const serverProblem = (url: string): string | null =>
  /^https?:\/\/[^/?#]+\/?$/.test(url)
    ? null
    : 'must be the address of an ntfy server alone: its topic has a member of its own';
