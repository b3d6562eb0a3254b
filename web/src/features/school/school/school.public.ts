export { SchoolDownload } from './components/SchoolDownload.tsx';
export { ClassLink } from './components/ClassLink.tsx';
export { ClassNotFound, PupilNotFound } from './components/NotFound.tsx';
export { WhileOpen } from './components/WhileOpen.tsx';
export { schoolQueries, schoolQuery, useCanChange, useIsTeachingOpen, useSchool } from './school.api.ts';
export { pupilTagsQuery, useTagPupils } from './pupil-tags.api.ts';
export { termDatesQuery, useSchoolRanges } from './term-dates.api.ts';
export { whoCanChange } from './model/who-can-change.ts';
