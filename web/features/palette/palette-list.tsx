import { memo, useEffect, useRef } from 'react'
import { palette } from '../../texts/palette-messages.ts'
import type { Command } from './rank-commands.ts'

interface Props {
  id: string
  commands: readonly Command[]
  /** The one that Enter runs. The focus itself stays in the field. */
  active: number
  onChoose: (command: Command) => void
}

export const PaletteList = memo(function PaletteList({ id, commands, active, onChoose }: Props) {
  /** Each group is in one piece. */
  const groups = [...new Set(commands.map(({ group }) => group))]
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, commands.length])

  return (
    <div ref={list} id={id} role="listbox" aria-label={palette.title} className="palette-list">
      {groups.map((group) => {
        const own = commands.map((command, at) => ({ command, at })).filter(({ command }) => command.group === group)
        const heading = own[0]?.command.heading ?? palette[group]
        return (
          own.length > 0 && (
            <div key={group} role="group" aria-label={heading}>
              <p className="palette-group truncate" aria-hidden>
                {heading}
              </p>
              {own.map(({ command, at }) => (
                <Option
                  key={command.id}
                  id={`${id}-${at}`}
                  command={command}
                  isActive={at === active}
                  onChoose={() => onChoose(command)}
                />
              ))}
            </div>
          )
        )
      })}
    </div>
  )
})

interface OptionProps {
  id: string
  command: Command
  isActive: boolean
  onChoose: () => void
}

function Option({ id, command: { label, place, Icon, thumbnail, keys }, isActive, onChoose }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys
    <div id={id} role="option" aria-selected={isActive} className="palette-option" onClick={onChoose}>
      {thumbnail === undefined ? (
        <Icon className="size-[1.125rem] shrink-0 text-text-3" aria-hidden />
      ) : (
        <img className="size-8 shrink-0 rounded-badge object-cover" src={thumbnail} alt="" loading="lazy" />
      )}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {place !== undefined && <span className="palette-place">{place}</span>}
      {keys !== undefined && (
        <span className="flex gap-1 coarse:hidden" aria-hidden>
          {keys.split(' ').map((key) => (
            <kbd key={key} className="kbd">
              {key}
            </kbd>
          ))}
        </span>
      )}
    </div>
  )
}
