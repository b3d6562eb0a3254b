import { PRODUCT_NAME } from '../../../../shared/product.ts';
import { useIsOutsideUk } from '../../../../shared/time-zone.ts';
import { ContactRequestForm } from './ContactRequestForm.tsx';
import { PackageSelector } from './PackageSelector.tsx';

interface Props {
  /** The level below the page's own heading. */
  heading: 'h2' | 'h3';
  /** The school has never had a subscription. */
  isNew: boolean;
}

/** The packages on offer. New schools outside the time zone of London get a contact form instead. */
export function PackageChoice({ heading, isNew }: Props) {
  const isAbroad = useIsOutsideUk();
  if (!isNew || !isAbroad) return <PackageSelector heading={heading} />;
  return (
    <>
      <p>Outside the United Kingdom, we set {PRODUCT_NAME} up together with you. Tell us when we can contact you.</p>
      <div className="measure below-xl">
        <ContactRequestForm action="start" />
      </div>
    </>
  );
}
