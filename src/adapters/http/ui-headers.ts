import type { AppContext } from './app-context.js';

/** Where the forms of a page may be sent: nowhere, or to this server. */
export type FormTarget = 'none' | 'self';

/** Nothing comes from elsewhere, nothing is run or styled from the page's own text, and no text becomes markup. */
const policyFor = (form: FormTarget): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action '${form}'`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial', 'hid', 'display-capture'];

/** What keeps other pages away from a page of the dashboard, and keeps it from calling others. */
export function protectPage(ctx: AppContext, form: FormTarget): void {
  ctx.set({
    'content-security-policy': policyFor(form),
    // A form that may say nothing of its origin would be taken for one of a foreign page.
    'referrer-policy': form === 'self' ? 'same-origin' : 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': FEATURES.map((name) => `${name}=()`).join(', '),
  });
}
