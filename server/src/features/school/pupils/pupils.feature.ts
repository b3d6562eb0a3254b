import { defineFeature } from '../../../feature.ts';
import { classMembershipHandlers } from './class-membership.routes.ts';
import { pupilNoteHandlers } from './pupil-notes.routes.ts';
import { pupilTagHandlers } from './pupil-tags.routes.ts';
import { pupilHandlers } from './pupils.routes.ts';
import { recordViewHandlers } from './record-views.routes.ts';

export const pupilsFeature = defineFeature({
  handlers: {
    ...pupilHandlers,
    ...classMembershipHandlers,
    ...pupilNoteHandlers,
    ...pupilTagHandlers,
    ...recordViewHandlers,
  },
});
