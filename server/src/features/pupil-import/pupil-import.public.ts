export { createPupilsWithUsernames } from './create-pupils.queries.ts';
