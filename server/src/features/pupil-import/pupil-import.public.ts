export { createPupilsWithUsernames } from './create-pupils.queries.ts';
export { createPlanned } from './create-pupils.service.ts';
