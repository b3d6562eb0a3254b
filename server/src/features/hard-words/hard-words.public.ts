export { SMALL_WORDS } from './hard-words.service.ts';
