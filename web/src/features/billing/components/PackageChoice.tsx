import { PRODUCT_NAME } from '../../../shared/product.ts';
import { useIsAbroad } from '../../../shared/time-zone.ts';
import { ContactRequestForm } from './ContactRequestForm.tsx';
import { PackageSelector } from './PackageSelector.tsx';

interface Props {
  /** The level below the page's own heading. */
  heading: 'h2' | 'h3';
  /** The school has never had a subscription. */
  isNew: boolean;
}

/** The packages on offer. Outside the time zone of London a first subscription is set up together instead. */
export function PackageChoice({ heading, isNew }: Props) {
  const isAbroad = useIsAbroad();
  if (!isNew || !isAbroad) return <PackageSelector heading={heading} />;
  return (
    <>
      <p>Outside the United Kingdom we set {PRODUCT_NAME} up together with you. Tell us when we may contact you.</p>
      <ContactRequestForm action="start" />
    </>
  );
}
