import { defineFeature } from '../../../feature.ts';
import { classHandlers } from './classes.routes.ts';
import { deletedClassHandlers } from './deleted-classes.routes.ts';

export const classesFeature = defineFeature({
  handlers: { ...classHandlers, ...deletedClassHandlers },
});
