import { paths } from '../../../paths.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';

/** Stands where a class's page would be: there is none, or it is another school's, which nobody is told. */
export function ClassNotFound() {
  return (
    <>
      <PageHeader title="Class not found" crumbs={[{ text: 'Classes', to: paths.classes() }]} />
      <p>There is no such class in your school. Somebody may have deleted it, or the address may be mistyped.</p>
      <ButtonLink to={paths.classes()}>Go to all classes</ButtonLink>
    </>
  );
}
