export { TelegramBot, UPDATE_LIMITS } from './telegram-bot.js';
export { TelegramMessenger } from './telegram-messenger.js';
