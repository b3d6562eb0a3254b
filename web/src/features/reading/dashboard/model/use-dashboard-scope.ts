import { useSearchParams } from '../../../../shared/router.ts';
import { can, canReadClassDetails } from '../../../../shared/can.ts';
import { ownClasses } from '../../../../shared/own-classes.ts';
import { useUser } from '../../../../shared/session.ts';
import { useSchool } from '../../../school/school/school.public.ts';
import { classInUrl } from '../dashboard.api.ts';

/** Whose reading the dashboard shows: the class in the URL, the user's own classes, or the whole school. */
export function useDashboardScope() {
  const user = useUser();
  const school = useSchool();
  const [query] = useSearchParams();
  const classId = classInUrl(query);
  const chosenClass = school?.groups.find(({ id }) => id === classId);
  const seesAllClasses = can(user, 'see_all_classes');
  const ownClassList = ownClasses(user, school);
  // A user with one class sees it without choosing it.
  const ownClass = ownClassList.length === 1 ? ownClassList[0] : undefined;
  return {
    school,
    classId,
    ownClass,
    shownClass: chosenClass ?? (classId === undefined ? ownClass : undefined),
    scopeName: seesAllClasses ? 'All classes' : ownClass ? `My class: ${ownClass.name}` : 'All my classes',
    // Deleted since the link was made, or another school's. A form without scripts sends an empty value for all classes.
    isClassMissing: Boolean(query.get('class')) && school !== undefined && !chosenClass,
    isWithoutClass: !seesAllClasses && school !== undefined && classId === undefined && ownClassList.length === 0,
    showAllText: seesAllClasses ? 'Show all classes' : ownClass ? `Show ${ownClass.name}` : 'Show all my classes',
    canSeeNeeds: can(user, 'view_details') && (!chosenClass || canReadClassDetails(user, chosenClass)),
  };
}
