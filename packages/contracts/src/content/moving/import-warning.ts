import * as z from 'zod';

/** Something that an import could not take over as it is. */
export const ImportWarning = z
  .object({
    kind: z
      .enum([
        'link',
        'anchor',
        'image',
        'include',
        'front_matter',
        'condition',
        'draft',
        'missing_page',
        'unlisted_page',
        'outside_root',
        'unread',
        'unreadable',
        'left_out',
        'moved',
        'title_picture',
        'too_large',
        'unused_file',
        'unknown_entry',
        'not_supported',
      ])
      .meta({
        description:
          '`link`, `image`, `include`: it leads to nothing that is imported, and stays as text, with its address. `anchor`: the page that a link leads to has no such heading or anchor. `condition`: the condition of the page (`if`) cannot be evaluated; the page is left out with everything in it. `draft`: a draft (`draft: true`, `published: false`), which is left out, or a page that is hidden (`unlisted: true`). `missing_page`: listed, but not in the archive. `unlisted_page`: in the archive, but not in its navigation: left out if that is `SUMMARY.md`, otherwise behind the others. `outside_root`: the file names the folder with the pages (`target`), or stands in it as its only `SUMMARY.md`, and other files do not stand there; they are left out, and `message` says how many they are, and names some, or how a version of the pages (`target`) is imported by itself. `unread`: to read the file takes too long. `unreadable`: it cannot be read, as `message` says. In both cases the page or reusable content is there without the text of the file; without a `mkdocs.yml`, pages stand in the order of their names. `left_out`: code and components that markdown has nothing for; what stands in them is there. `moved`: blocks of these types stand behind what they were in, which cannot hold them. `title_picture`: pictures in the title of the page, which is a text, stand first on the page. `too_large`: the file is larger than a file can be, and is left out. `unused_file`: nothing links to the file, so it is not taken over. `unknown_entry`: an entry of the navigation that has no counterpart, and is left out.',
      }),
    path: z.string().meta({ description: 'The file that it is about.' }),
    target: z.string().optional().meta({ description: 'The address, key or line in that file.' }),
    message: z.string().optional().meta({ description: 'Why, where the kind does not say it all.' }),
  })
  .meta({ id: 'ImportWarning' });
export type ImportWarning = z.output<typeof ImportWarning>;
