export { parseAccuracyScope } from './model/accuracy-scope.ts';
export { accuracyQuery, classReadingQuery, needsQuery, progressQuery, pupilNeedsQuery } from './reading-needs.api.ts';
