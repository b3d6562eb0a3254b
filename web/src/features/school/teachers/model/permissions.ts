/** What each role may do, as admins see it. */
export interface PermissionLine {
  action: string;
  /** `own`: for the teacher’s own classes. */
  teacher: 'no' | 'yes' | 'own';
}

export const PERMISSION_LINES: readonly PermissionLine[] = [
  { action: 'Add Teacher', teacher: 'no' },
  { action: 'Delete Teacher', teacher: 'no' },
  { action: 'Delete Pupils from School', teacher: 'no' },
  { action: 'Promote to Admin', teacher: 'no' },
  { action: 'Demote from Admin', teacher: 'no' },
  { action: 'Add Pupils to School', teacher: 'yes' },
  { action: 'Create Class', teacher: 'yes' },
  { action: 'Delete Class', teacher: 'own' },
  { action: 'Add/Remove Pupils to/from Class', teacher: 'own' },
  { action: 'Move Pupils', teacher: 'own' },
  { action: 'Assign/Remove Books to/from Class and Pupils', teacher: 'own' },
  { action: 'Reset Passwords', teacher: 'own' },
  { action: 'Assign/Remove Teacher to/from Class', teacher: 'own' },
  { action: 'Edit Account Details', teacher: 'yes' },
];
