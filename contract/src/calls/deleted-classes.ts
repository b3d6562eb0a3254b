import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, timestamp } from '../fields.ts';
import { classSchema } from './school.ts';

/** A deleted class, which is in no list, count or figure. */
const deletedClass = z
  .strictObject({
    id,
    name: z.string(),
    /** Pupils who were in the class when it was deleted, without those erased since. */
    readers_count: z.number().int(),
    deleted_at: timestamp,
    /** Null when they have left the school. */
    deleted_by: z.strictObject({ id, name: z.string() }).nullable(),
    /** The class can be restored until then. */
    erased_at: timestamp,
  })
  .meta({ id: 'DeletedClass' });
export type DeletedClass = z.infer<typeof deletedClass>;

const restoredClass = z
  .strictObject({
    group: classSchema,
    /** The name before the deletion, if another class has it now and the restored one got a number: "Maple (2)". */
    former_name: z.string().nullable(),
    /** What did not return with the class. */
    missing: z.strictObject({
      /** Pupils who have been in another class since. */
      pupils_moved: z.number().int(),
      /** Pupils in the archive, who return to the class when they are restored unless they left it before. */
      pupils_archived: z.number().int(),
      /** Teachers who have left the school. */
      teachers: z.number().int(),
      /** Books that are no longer in the library. */
      books: z.number().int(),
    }),
  })
  .meta({ id: 'RestoredClass' });
export type RestoredClass = z.infer<typeof restoredClass>;

export const deletedClassCalls = defineCalls({
  listDeletedClasses: {
    method: 'GET',
    path: '/enterprises/{id}/archive/groups',
    tag: 'Classes',
    summary: 'Deleted classes, newest first',
    description:
      'All classes deleted with `DELETE /enterprises/{id}/groups/{groupId}` in the last 30 days for admins, and those that they deleted themselves for teachers. At most 500.',
    permission: 'manage_classes',
    area: 'records',
    params: ids('id'),
    reply: z.strictObject({ groups: z.array(deletedClass) }),
  },

  restoreClass: {
    method: 'POST',
    path: '/enterprises/{id}/archive/groups/{groupId}/restore',
    tag: 'Classes',
    summary: 'Restore a deleted class',
    description:
      'With its pupils, teachers and books, under the same ID. Pupils who have been in another class since stay where they are. Returns what is missing. Restoring a class that has been restored already changes nothing. 404 after 30 days, and for a teacher who did not delete the class.',
    permission: 'manage_classes',
    area: 'records',
    example: {},
    params: ids('id', 'groupId'),
    reply: restoredClass,
    errors: ['class_not_found'],
  },
});
