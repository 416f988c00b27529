import type { EndpointTarget } from './endpoint.js';

/** The destination of a target: equal for two that only state it differently. */
export function destinationOf(target: EndpointTarget): string {
  switch (target.kind) {
    case 'webhook':
      return target.url;
    case 'telegram':
      return `telegram ${target.chatId} ${target.threadId ?? ''}`;
    case 'ntfy':
      return `ntfy ${target.url} ${target.topic}`;
  }
}

/** Where a target leads, in words: never a path or a topic, which may be what protects it. */
export function placeOf(target: EndpointTarget): string {
  if (target.kind === 'telegram') return `the Telegram chat ${target.chatId}`;
  return target.kind === 'ntfy' ? `a topic of ${hostOf(target.url)}` : hostOf(target.url);
}

const hostOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/[/?#].*$/, '');
