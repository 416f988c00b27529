export { NtfyMessenger } from './ntfy-messenger.js';
