import { paths } from '../../../../paths.ts';
import { allClassesParams, ownClasses } from '../../../../shared/own-classes.ts';
import { useUser } from '../../../../shared/session.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { useSchool } from '../school.api.ts';

/** Shown if the class does not exist or belongs to another school, which must look the same. */
export function ClassNotFound() {
  return (
    <>
      <PageHeader title="Class not found" crumbs={[{ text: 'Classes', to: paths.classes() }]} />
      <p>Your school has no class at this address. It may have been deleted, or the address may be mistyped.</p>
      <ButtonLink to={paths.classes()}>Go to all classes</ButtonLink>
    </>
  );
}

/** Shown if the pupil does not exist or belongs to another school, which must look the same. */
export function PupilNotFound() {
  const classes = ownClasses(useUser(), useSchool());
  return (
    <>
      <PageHeader title="Pupil not found" />
      <p>There is no such pupil in your school. The pupil may have been deleted, or the address may be mistyped.</p>
      <ButtonLink to={paths.pupils(allClassesParams(classes))}>Go to all pupils</ButtonLink>
    </>
  );
}
