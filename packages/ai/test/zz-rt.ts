import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { compile } from "@earendil-works/pi-schema";
import { DAMAGES } from "./repairs/damages.ts";
import { anyTool as toolSpec } from "./repairs/schema-arbitrary.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";
const n=Number(process.argv[2]??3000), only=process.argv[3], showB=process.argv[4];
const draws=fc.sample(toolSpec.chain(t=>t.sample.map(s=>({p:t.parameters,s}))),n);
const tally:any={}; const bad:any={}; const bnc:any={};
for(const {p,s} of draws){ if(!compile(p).check(s.value)) {tally.invalid??={};tally.invalid.clean=(tally.invalid.clean??0)+1;continue;}
 for(const [name,d] of Object.entries(DAMAGES)){ if(only&&!name.includes(only)) continue; for(const pl of s.places){ const a=d(s.value,pl); if(a===undefined) continue;
  let r:any; try{ r=repairToolArguments({name:"probe_tool",parameters:p},a);}catch(e){ r={outcome:"THROW "+e}; }
  let o=r.outcome; if(o==="repaired"&&!isDeepStrictEqual(r.args,s.value)) {o="WRONG"; (bad[name]??=[]).push({p,v:s.value,a,got:r.args,reps:r.repairs.map((x:any)=>x.name),path:pl.path});}
  if(o==="bounced") (bnc[name]??=[]).push({p,v:s.value,a,path:pl.path});
  tally[name]??={}; tally[name][o]=(tally[name][o]??0)+1; }}}
console.table(tally);
for(const [k,l] of Object.entries(bad) as any){ console.log("##",k); l.sort((x:any,y:any)=>JSON.stringify(x).length-JSON.stringify(y).length); const seen=new Set(); let c=0; for(const b of l){const key=b.reps.join(); if(seen.has(key)) continue; seen.add(key); console.log(JSON.stringify(b)); if(++c>7) break;} }
if(showB) for(const [k,l] of Object.entries(bnc) as any){ console.log("## BOUNCE",k); l.sort((x:any,y:any)=>JSON.stringify(x).length-JSON.stringify(y).length); for(const b of l.slice(0,Number(showB))) console.log(JSON.stringify(b)); }
