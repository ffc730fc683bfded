import { useRef, useState } from 'preact/hooks';
import { explain } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { inWords } from '../../core/jobs/memory-trouble.ts';
import { openEnvironment } from '../../core/view/environment.ts';
import { AXIS_VIEWS, type AxisView, MOST_STOPS, SURFACE_LOOKS, type SurfaceLook } from '../../core/view/looks.ts';
import type { Viewport } from '../../viewport/viewport.ts';
import { Button } from '../controls/button.tsx';
import { SelectField, Tick } from '../controls/field.tsx';
import { Slider } from '../controls/slider.tsx';

const LOOKS = (Object.keys(SURFACE_LOOKS) as SurfaceLook[]).map((value) => ({
  value,
  text: SURFACE_LOOKS[value].text,
}));

const AXIS_TEXTS: Record<AxisView, string> = {
  front: 'Front',
  right: 'Right',
  top: 'Top',
  back: 'Back',
  left: 'Left',
  bottom: 'Bottom',
};

/** How surfaces look, what lights them, and from where. */
export function LookMenu({ doc, viewport }: { doc: Doc; viewport: Viewport | undefined }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const look = doc.look.value;
  return (
    <details
      class="menu floating look-menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        menu.current.open = false;
        menu.current.querySelector('summary')!.focus();
        event.stopPropagation();
      }}
      onFocusOut={({ relatedTarget }) => {
        // A click on nothing that can be focused leaves it open.
        if (relatedTarget instanceof Node && !menu.current!.contains(relatedTarget)) menu.current!.open = false;
      }}
    >
      <summary title="Look, light and camera">View</summary>
      <div class="look-fields">
        <SelectField
          id="surface-look"
          label="Surface"
          value={look}
          choices={LOOKS}
          help={SURFACE_LOOKS[look].help}
          onChange={(value) => (doc.look.value = value)}
        />
        {look === 'material' && <EnvironmentFields doc={doc} />}
        <Tick id="view-ground" label="Ground" value={doc.ground} />
        <Tick id="view-orthographic" label="Orthographic" value={doc.orthographic} />
        <fieldset class="axis-views" aria-label="View from">
          {AXIS_VIEWS.map((view) => (
            <Button key={view} onClick={() => viewport?.lookAlong(view)}>
              {AXIS_TEXTS[view]}
            </Button>
          ))}
        </fieldset>
      </div>
    </details>
  );
}

function EnvironmentFields({ doc }: { doc: Doc }) {
  const input = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<string>();
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      doc.environment.value = await openEnvironment(file);
      setTrouble(undefined);
    } catch (error) {
      setTrouble(inWords(explain(error)));
    }
  };
  const { value: environment } = doc.environment;
  return (
    <>
      <div class="field">
        <span>Environment</span>
        <div class="picks">
          {environment && <Button onClick={() => (doc.environment.value = undefined)}>Room</Button>}
          <Button hint="Open an HDR or EXR picture" onClick={() => input.current!.click()}>
            Open…
          </Button>
        </div>
        <p class="help as-is">{environment?.name ?? 'A neutral room'}</p>
        <input
          ref={input}
          type="file"
          accept=".hdr,.exr"
          hidden
          aria-label="Environment picture"
          onChange={({ currentTarget }) => {
            void open(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        {trouble && (
          <p class="help" role="alert">
            {trouble}
          </p>
        )}
      </div>
      <Slider
        label="Exposure"
        value={doc.exposure.value}
        least={-MOST_STOPS}
        most={MOST_STOPS}
        step={0.1}
        text={`${doc.exposure.value > 0 ? '+' : doc.exposure.value < 0 ? '−' : ''}${Math.abs(doc.exposure.value).toFixed(1)}`}
        onInput={(value) => (doc.exposure.value = value)}
      />
    </>
  );
}
