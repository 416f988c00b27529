import { type ApiKey, isUsable } from '../../access/api-key.js';
import type { LiveGrant } from '../../access/session.js';
import type { DomainError } from '../../domain-error.js';
import type { AccountId } from '../../ids.js';
import { LiveAutomationRefused, ScopeMissing } from './strategy-refusals.js';

/** Whether a strategy trades: not at all by itself, only what a person approves, or by itself. */
export const AUTOMATIONS = ['off', 'approve', 'auto'] as const;
/** One of them. */
export type Automation = (typeof AUTOMATIONS)[number];

/** How a strategy trades by itself: a part of every version of it. */
export interface Automated {
  readonly automation: Automation;
  /** True: what it orders by itself, or after an approval, is on paper. */
  readonly automationPaper: boolean;
  /** The id of the API key that lets it order with real money by itself; null while it is on paper. */
  readonly automationKey: string | null;
}

/** How a strategy trades by itself that nobody asked to. */
export const NOT_AUTOMATED: Automated = { automation: 'off', automationPaper: true, automationKey: null };

/** Why a caller without an API key of that scope is refused. */
export const withoutGrant = (by: LiveGrant): DomainError =>
  by.keyId === null && by.lacksScope
    ? new ScopeMissing('orders:live', 'To let a strategy trade with real money by itself, or to change one that does,')
    : new LiveAutomationRefused();

/**
 * True where the automation of a strategy may order with real money at `at`, as far as automation goes: an API key that may
 * trade live has said so, and is still valid. `key` is the key on record with the id `automationKey`. All other conditions of
 * an order with real money hold besides.
 */
export function automationIsLive(
  strategy: Automated & { readonly account: AccountId },
  key: ApiKey | undefined,
  at: Date,
): boolean {
  const { automation, automationPaper, automationKey, account } = strategy;
  if (automation === 'off' || automationPaper || automationKey === null || key === undefined) return false;
  if (key.id !== automationKey || key.account !== account) return false;
  return key.scopes.includes('orders:live') && isUsable(key, at);
}
