import { DRESS_OPTIONS, type DressOptions } from '../../core/cloth/dress.ts';
import { OPENING, openGarment, openTrained, ownGarment, TRAINED } from '../../core/cloth/start-cloth.ts';
import { pickedFiles } from '../../core/content/file-groups.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { SelectField } from '../controls/field.tsx';
import { FileIcon } from '../controls/icons.tsx';
import { UnderWay } from '../controls/progress.tsx';

/** Capes and skirts, the user's own, and the meshes of other tabs. */
export function GarmentField(props: { studio: Studio; doc: Doc; onMade(made: DressOptions['garment']): void }) {
  const { studio, doc, onMade } = props;
  const { options, own } = doc.cloth;
  const others = studio.tabs.value.flatMap(({ id, title, state: { value } }) => {
    if (value.kind !== 'ready' || value.doc === doc) return [];
    const { content, cloth } = value.doc;
    const found = ownGarment(title, content, cloth.pairs.trained.value?.cloth);
    return found
      ? [{ value: `tab-${id}`, text: `${title} (${found.trained ? 'trained' : 'open'})`, garment: found }]
      : [];
  });
  return (
    <SelectField
      id="garment"
      label="Garment"
      value={options.value.garment ?? DRESS_OPTIONS.garment.default}
      choices={[
        { value: 'cape', text: 'Cape' },
        { value: 'skirt', text: 'Skirt' },
        ...(own.value ? [{ value: 'own', text: own.value.name }] : []),
        { value: 'trained-cape', text: 'Cape, trained' },
        { value: 'trained-skirt', text: 'Skirt, trained' },
        ...others,
      ]}
      onChange={(value) => {
        const trained = TRAINED.find((name) => name === value);
        if (trained) {
          void openTrained(doc, trained).catch(() => {
            studio.notices.say('This garment could not be loaded: is the server of the studio still running?', true);
          });
          return;
        }
        const other = others.find((each) => each.value === value);
        if (other) doc.cloth.choose(other.garment);
        else onMade(value as DressOptions['garment']);
      }}
    />
  );
}

/** Opens a mesh file as the garment. */
export function GarmentPicker({ studio, doc }: { studio: Studio; doc: Doc }) {
  const running = doc.running.value;
  if (running?.title === OPENING) return <UnderWay running={running} />;
  return (
    <label class="button wide">
      <FileIcon />
      Open a garment
      <input
        type="file"
        class="visually-hidden"
        multiple
        onChange={async ({ currentTarget }) => {
          const files = pickedFiles(currentTarget.files ?? []);
          currentTarget.value = '';
          if (files.length > 0 && !(await openGarment(doc, files)))
            studio.notices.say('This file has no surface to wear.', true);
        }}
      />
    </label>
  );
}
