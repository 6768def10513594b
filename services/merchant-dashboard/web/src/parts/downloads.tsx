import { Button, Menu } from '@mantine/core';
import { formatQuery, type Filter } from '../api/mode-api.ts';
import { Icon } from './icon.tsx';

const FORMATS = { csv: 'CSV', json: 'JSON', jsonl: 'JSON lines' } as const;
type Format = keyof typeof FORMATS;

export type DownloadedFile = {
  /** What the file holds: the entry of the menu begins with it. */
  readonly title: string;
  /** The address of the file without its query. */
  readonly path: string;
  readonly query?: Filter;
  readonly formats?: readonly Format[];
};

type Props = {
  /** What is downloaded, after the word "Download" in the name of the button. */
  readonly of: string;
  readonly files: readonly DownloadedFile[];
  readonly size?: 'xs';
};

/** A menu of the files of a list: the server sends each whole, however many pages the list has. */
export function Downloads({ of, files, size }: Props) {
  return (
    // Within the main part, and with nothing but entries in it, as assistive programs expect of a menu.
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          {...(size && { size })}
          leftSection={<Icon name="download" size={16} />}
          aria-label={`Download ${of}`}
        >
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.flatMap(({ title, path, query, formats = ['csv', 'jsonl'] }) =>
          formats.map((format) => (
            <Menu.Item
              key={`${path} ${format}`}
              component="a"
              href={path + formatQuery({ ...query, format })}
              download
            >
              {title} as {FORMATS[format]}
            </Menu.Item>
          )),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
