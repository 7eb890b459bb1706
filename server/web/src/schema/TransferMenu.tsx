import { useRef, useState } from 'react'
import { Problem } from '../api/client'
import { exportSchema, exportShacl, type Schema } from '../api/schema'
import type { Fault } from '../api/types'
import { useText } from '../app/settings'
import { Dialog } from '../ui/Dialog'
import { Menu } from '../ui/Menu'
import type { Action } from './edit'
import { download, mostBytes, readSchema } from './transfer'
import { Faults } from './TurtleView'

interface Told {
  title: string
  note?: string
  faults: Fault[]
}

interface Props {
  schema: Schema
  dispatch: (action: Action) => void
}

/** Files in and out: what others wrote as Turtle, SHACL among it, and the editor's own form as JSON. */
export function TransferMenu({ schema, dispatch }: Props) {
  const text = useText().schema
  const file = useRef<HTMLInputElement>(null)
  const [told, setTold] = useState<Told | null>(null)

  const refuse = (title: string, error: unknown) => {
    if (error instanceof Problem && error.faults.length > 0) return setTold({ title, faults: error.faults })
    // Of JSON that is something else; what is no JSON at all is told by the parser.
    const note = error instanceof TypeError ? text.transfer.noSchema : error instanceof Error ? error.message : String(error)
    setTold({ title, note, faults: [] })
  }

  const take = async (chosen: File) => {
    const { name } = chosen
    if (chosen.size > mostBytes) return setTold({ title: text.transfer.refused(name), note: text.transfer.tooLarge, faults: [] })
    try {
      const { schema, faults, notes } = await readSchema(chosen)
      if (!schema) return setTold({ title: text.transfer.refused(name), faults })
      dispatch({ type: 'replace', schema })
      if (faults.length > 0) setTold({ title: text.transfer.taken(name), faults })
      else if (schema.kept.length > 0) setTold({ title: text.transfer.taken(name), note: text.transfer.carried(schema.kept.length), faults: notes })
    } catch (error) {
      refuse(text.transfer.refused(name), error)
    }
  }

  const exportTurtle = async () => {
    try {
      download('schema.ttl', 'text/turtle', await exportSchema(schema))
    } catch (error) {
      refuse(text.transfer.notWritten, error)
    }
  }

  const exportShapes = async () => {
    try {
      const { shacl, faults } = await exportShacl(schema)
      if (shacl === null) setTold({ title: text.transfer.notWritten, faults })
      else download('shapes.ttl', 'text/turtle', shacl)
    } catch (error) {
      refuse(text.transfer.notWritten, error)
    }
  }

  return (
    <>
      <Menu name={text.transfer.open}>
        <button className="small" onClick={() => file.current?.click()}>
          {text.transfer.import}
        </button>
        <button className="small" onClick={() => void exportTurtle()}>
          {text.transfer.exportTurtle}
        </button>
        <button className="small" onClick={() => void exportShapes()}>
          {text.transfer.exportShacl}
        </button>
        <button className="small" onClick={() => download('schema.json', 'application/json', JSON.stringify(schema, null, 2))}>
          {text.transfer.exportJson}
        </button>
      </Menu>
      <input
        ref={file}
        type="file"
        hidden
        accept=".ttl,.json,.nt,text/turtle,application/json"
        aria-label={text.transfer.import}
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) void take(chosen)
        }}
      />
      {told && (
        <Dialog title={told.title} onClose={() => setTold(null)}>
          {told.note && <p>{told.note}</p>}
          <Faults faults={told.faults} />
        </Dialog>
      )}
    </>
  )
}
