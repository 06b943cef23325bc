// The parts of the command that decide without doing anything.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clipboardPrograms } from './clipboard.ts'
import { foldersOf } from './folders.ts'
import { idOf } from './image-commands.ts'
import { linkFormats } from './link-formats.ts'
import { progressLine, showProgress } from './progress.ts'

describe('folders', () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, object]>([
    [
      'the defaults of XDG',
      'linux',
      {},
      { config: '/u/.config/image-host', data: '/u/.local/share/image-host', state: '/u/.local/state/image-host' },
    ],
    [
      'XDG variables',
      'linux',
      { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' },
      { config: '/c/image-host', data: '/d/image-host' },
    ],
    ['no relative XDG variable', 'linux', { XDG_DATA_HOME: 'd' }, { data: '/u/.local/share/image-host' }],
    ['those of macOS', 'darwin', {}, { data: '/u/Library/Application Support/image-host' }],
    ['those of Windows', 'win32', {}, { data: '/u/AppData/Local/image-host/data' }],
  ])('are %s', (_what, platform, environment, expected) => {
    expect(foldersOf(environment, platform, '/u')).toMatchObject(expected)
  })
})

describe('the line of progress', () => {
  const total = { files: 1000, bytes: 100_000_000 }

  it.each([
    [{ files: 0, bytes: 0 }, 0, undefined, '[------------------------]  0/1000  0 kB/s'],
    [{ files: 250, bytes: 25_000_000 }, 10_000, undefined, '[######------------------]  250/1000  2.5 MB/s  0:30 left'],
    [{ files: 1, bytes: 10_000 }, 1000, undefined, '[------------------------]  1/1000  10 kB/s  2:46:39 left'],
    [
      { files: 250, bytes: 25_000_000 },
      10_000,
      { text: (duration: string) => `The server is busy; waiting ${duration}`, leftMs: 8500 },
      '[######------------------]  250/1000  The server is busy; waiting 9 seconds',
    ],
    [total, 10_000, undefined, '[########################]  1000/1000  10.0 MB/s  0:00 left'],
  ])('after %j in %i ms', (done, elapsedMs, wait, line) => {
    expect(progressLine({ done, total, skippedBytes: 0, elapsedMs, wait }, 80)).toBe(line)
  })

  it('counts only what is sent now for the speed and the time left', () => {
    const done = { files: 500, bytes: 50_000_000 }
    const line = progressLine({ done, total, skippedBytes: 40_000_000, elapsedMs: 10_000 }, 80)
    expect(line).toBe('[############------------]  500/1000  1.0 MB/s  0:50 left')
  })

  it.each([
    ['is', true, '1/2  1.0 MB/s'],
    ['is not, after a part of it was sent before,', false, '1/2  0 kB/s'],
  ])('a file that is sent at once %s counted for the speed', (_, isNew, figures) => {
    vi.useFakeTimers()
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { isTTY } = process.stderr
    process.stderr.isTTY = true
    const progress = showProgress({ files: 2, bytes: 2_000_000 })
    onTestFinished(() => {
      progress.end()
      process.stderr.isTTY = isTTY
      vi.useRealTimers()
      vi.restoreAllMocks()
    })
    if (isNew) progress.start('a')
    progress.sent('a', 1_000_000)
    progress.add('a', 1_000_000, true)
    vi.advanceTimersByTime(1000)
    expect(write.mock.lastCall?.[0]).toContain(figures)
  })

  it('fits the terminal', () => {
    expect(progressLine({ done: total, total, skippedBytes: 0, elapsedMs: 1 }, 40)).toHaveLength(39)
  })
})

describe('links', () => {
  const image = { url: 'https://h/uploads/a.png', width: 2, height: 1, original_name: 'a "b" [c] <d>.png' }

  it.each([
    ['url', 'https://h/uploads/a.png'],
    ['markdown', String.raw`![a "b" \[c\] \<d\>](https://h/uploads/a.png)`],
    ['html', '<img src="https://h/uploads/a.png" alt="a &quot;b&quot; [c] &lt;d&gt;" width="2" height="1">'],
    ['bbcode', '[img]https://h/uploads/a.png[/img]'],
  ] as const)('as %s', (format, expected) => {
    expect(linkFormats[format](image)).toBe(expected)
  })
})

it.each([
  ['https://h/uploads/photo-69YAZNPrGW0cQj1asxjHPA.jpg'],
  ['https://h/uploads/photo-69YAZNPrGW0cQj1asxjHPA.jpg?x=1'],
  ['https://h/api/thumbnail/69YAZNPrGW0cQj1asxjHPA/400'],
  ['https://h/api/webp/69YAZNPrGW0cQj1asxjHPA/80?width=300'],
  ['https://h/d/69YAZNPrGW0cQj1asxjHPA/CEx53vwapRYCNbxITOzaLJWyphYSyiOyvFOwO1D-8Zs'],
  ['photo-69YAZNPrGW0cQj1asxjHPA.jpg'],
  ['69YAZNPrGW0cQj1asxjHPA'],
])('the id of %s', (given) => {
  expect(idOf(given)).toBe('69YAZNPrGW0cQj1asxjHPA')
})

it.each<[NodeJS.Platform, Record<string, string>, string[]]>([
  ['linux', { DISPLAY: ':0' }, ['xclip', 'xsel']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, ['wl-copy', 'xclip', 'xsel']],
  ['linux', {}, []],
  ['linux', { DISPLAY: ':0', SSH_CONNECTION: 'x' }, []],
  ['darwin', {}, ['pbcopy']],
  ['win32', {}, ['clip']],
])('the clipboard of %s with %j', (platform, environment, programs) => {
  expect(clipboardPrograms(environment, platform).map(([name]) => name)).toEqual(programs)
})
