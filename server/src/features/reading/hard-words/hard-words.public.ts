export { hardWordForms, settleCapitals, spelling } from './hard-words.queries.ts';
export { findSpelling, markCommonWords, selectWords, SMALL_WORDS } from './hard-words.service.ts';
