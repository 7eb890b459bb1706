import { Component, type ReactNode } from 'react'

interface Props {
  said: string
  again: string
  children: ReactNode
}

/** Keeps a fault of one page from taking the whole interface with it. */
export class Guard extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="notice bad" role="alert">
        <p>{this.props.said}</p>
        <button onClick={() => this.setState({ failed: false })}>{this.props.again}</button>
      </div>
    )
  }
}
