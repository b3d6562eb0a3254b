export { createPupilsWithUsernames } from './create-pupils.queries.ts';
export { applyImportPlan, type ImportAuthor } from './create-pupils.service.ts';
