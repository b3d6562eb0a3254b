/** What can be pressed. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, label, [role="option"]';

/** A pointer that has gone further than so many pixels was drawn away on purpose. */
const STEADY_PX = 8;

/**
 * A press is meant for what it began on. Where that has moved before the pointer is up, because something above it came
 * meanwhile, the browser gives the click to whatever holds both places, and nothing happens: the click is taken from
 * there and given to what was pressed.
 */
export function retargetShiftedClicks(): void {
  let press: { control: Element; x: number; y: number } | undefined;
  addEventListener(
    'pointerdown',
    ({ target, isPrimary, clientX: x, clientY: y }) => {
      const control = isPrimary && target instanceof Element && target.closest(CONTROLS);
      press = control ? { control, x, y } : undefined;
    },
    true,
  );
  addEventListener('pointercancel', () => (press = undefined), true);
  addEventListener(
    'click',
    (event) => {
      // Keys press without a pointer, and what is dispatched below comes here too.
      if (!press || event.detail === 0) return;
      const { control, x, y } = press;
      press = undefined;
      const { clientX, clientY, shiftKey, ctrlKey, altKey, metaKey } = event;
      if (control.contains(event.target as Node) || !control.isConnected) return;
      if (Math.hypot(clientX - x, clientY - y) > STEADY_PX) return;
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const isUnderPointer = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
      if (isUnderPointer) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      const keys = { shiftKey, ctrlKey, altKey, metaKey };
      control.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window, ...keys }));
    },
    true,
  );
}
