import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { paths } from '../../../paths.ts';

export default function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <p>If you typed the address, check it. If you followed a link, the page may have moved.</p>
      <ButtonLink to={paths.dashboard()}>Go to main page</ButtonLink>
    </>
  );
}
