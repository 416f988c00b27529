export { TelegramMessenger } from './telegram-messenger.js';
