import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { analysis } from '../../texts/analysis-messages.ts'

interface Props {
  fileName: string
  original: ImageAnalysis['original']
}

export function ImageProperties({ fileName, original }: Props) {
  return (
    <section aria-label={analysis.facts} className="min-w-0">
      <h3 className="mb-2 font-mono text-dense font-medium wrap-anywhere">{fileName}</h3>
      <table className="w-full border-collapse text-dense">
        <tbody>
          {rowsOf(original).map(([label, value]) => (
            <tr key={label} className="border-t border-border">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal text-text-2">
                {label}
              </th>
              <td className="py-1.5 text-right font-medium tabular-nums">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function rowsOf(original: ImageAnalysis['original']): [label: string, value: string | number][] {
  const { labels, spaces, depths, yes, no } = analysis
  const { format, width, height, size, space, channels, hasAlpha, depth, isProgressive, hasProfile, pages } = original
  return [
    [labels.format, format.toUpperCase()],
    [labels.dimensions, analysis.dimensions(width, height)],
    [labels.size, formatBytes(size)],
    [labels.space, spaces[space] ?? space],
    [labels.channels, channels],
    [labels.alpha, hasAlpha ? yes : no],
    [labels.depth, depths[depth] ?? depth],
    [labels.progressive, isProgressive ? yes : no],
    [labels.profile, hasProfile ? yes : no],
    [labels.frames, pages],
  ]
}
