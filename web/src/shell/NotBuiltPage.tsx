import { PageHeader } from '../ui/PageHeader.tsx';

/** Stands in for the screens that are still to come. */
export default function NotBuiltPage() {
  return (
    <>
      <PageHeader title="Not here yet" />
      <p>This screen is not built yet</p>
    </>
  );
}
