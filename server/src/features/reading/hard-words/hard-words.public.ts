export { listBookWords } from './hard-words.queries.ts';
export { listPupilWords, selectWords, settleCapitals } from './hard-words.service.ts';
export { findSpelling } from './spelling.service.ts';
export { countWords, hasRepeatedWord, rankWords, type WordCount, type WordSession } from './word-counts.service.ts';
