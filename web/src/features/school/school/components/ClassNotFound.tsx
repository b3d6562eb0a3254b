import { paths } from '../../../../paths.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';

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
