export { createPupilsWithUsernames } from './create-pupils.queries.ts';
export { createPlanned, type ImportAuthor } from './create-pupils.service.ts';
